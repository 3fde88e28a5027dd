// Runs a model file for two seconds and prints its certificate: `embed ball.json`. main.py beside it is the same program in Python.
#include <cstdio>
#include <saltus/integrate/automatic.hpp>
#include <saltus/integrate/simulate.hpp>
#include <saltus/study/quantity.hpp>
#include <saltus/system/compile.hpp>

int main(int count, char** arguments) {
  try {
    const saltus::Model model = saltus::load_model(count > 1 ? arguments[1] : "ball.json");
    saltus::Faults warnings;
    const std::shared_ptr<const saltus::System> system = saltus::compile(model, {}, warnings);

    const saltus::SimulateOptions run{.until = 2.0};
    const saltus::SchemeOptions options{.error_control = true};
    const saltus::Scheme* scheme = saltus::find_scheme("event_driven");  // or saltus::automatic_choice(*system, options).scheme
    const std::unique_ptr<saltus::Plan> plan = scheme->bind(system, options);
    saltus::State state = plan->new_state();

    const saltus::Quantity height(system, "ball.position.z");
    saltus::Assembly assembly(*system);
    const auto read = [&] {
      double z = 0.0;
      height.evaluate(assembly, {state.t(), state.y(), state.a(), state.lambda(), state.data()}, &z);
      return z;
    };
    int impacts = 0;
    const saltus::RunReport report = saltus::simulate(*scheme, *plan, state, run, [&](const saltus::State&, const saltus::StepReport& step) {
      for (const saltus::Event& event : step.events) impacts += event.kind == "impact";
      return true;  // false ends the run
    });

    std::printf("%s at t = %g s after %lld steps, %d impacts\n", report.status == saltus::RunStatus::done ? "done" : report.cause.c_str(), report.t,
                static_cast<long long>(report.steps), impacts);
    std::printf("residuals: equations %.0e, constraints %.0e, laws %.0e\n", report.residual.equations, report.residual.constraints, report.residual.laws);
    std::printf("energy: %.9g J -> %.9g J\n", report.energy_start, report.energy_end);
    std::printf("ball.position.z = %.9g %s\n", read(), height.unit().c_str());
    return report.status == saltus::RunStatus::done ? 0 : 3;
  } catch (const saltus::ModelError& error) {  // each line: file, line, item, what is wrong, what to do
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
