// The motion of a run as a curve over time: what every reader takes between the recorded states.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "bindings.hpp"
#include "engine.hpp"
#include "saltus/study/between_states.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace saltus::python {

namespace {

using Given = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using Sides = nb::ndarray<const std::uint8_t, nb::c_contig, nb::device::cpu>;

/// Recorded states, held as arrays of Python, and the curve through them.
class Track {
 public:
  Track(const PythonSystem& system, std::string scheme, Given t, Given y, Given a, Given lambda, Given data, std::optional<Given> xdot, std::optional<Given> piece)
      : system_(system.system), scheme_(std::move(scheme)), t_(t), y_(y), a_(a), lambda_(lambda), data_(data), xdot_(std::move(xdot)), piece_(std::move(piece)) {
    const Layout& l = system_->layout;
    const auto expect = [&](const Given& x, int columns, const char* name) {
      if (x.size() != t_.size() * static_cast<std::size_t>(columns))
        throw ModelError("result", std::string(name) + " has " + std::to_string(x.size()) + " numbers, expected " + std::to_string(t_.size()) + " x " + std::to_string(columns),
                         "the result is not of this model");
    };
    expect(y_, l.y_size(), "y"), expect(a_, l.nv, "a"), expect(lambda_, l.rows, "lambda"), expect(data_, l.nd, "data");
    if (xdot_) expect(*xdot_, l.nx, "xdot");
    if (piece_) expect(*piece_, 1, "piece");
  }

  /// (y, a, lambda, data, xdot) at times within the run, in any order.
  nb::tuple states(Given times, std::optional<Sides> before, bool rates) const {
    const Layout& l = system_->layout;
    const std::size_t n = times.size();
    if (before && before->size() != n) throw ModelError("result", "there are not as many sides as times");
    if (t_.size() == 0) throw ModelError("result", "holds no states");
    const std::size_t widths[5] = {static_cast<std::size_t>(l.y_size()), static_cast<std::size_t>(l.nv), static_cast<std::size_t>(l.rows), static_cast<std::size_t>(l.nd), static_cast<std::size_t>(l.nx)};
    std::vector<double> out[5];
    for (int k = 0; k < 5; ++k) out[k].resize(n * widths[k]);
    {
      nb::gil_scoped_release release;
      BetweenStates curve(system_, scheme_);
      std::size_t set = t_.size();  // the piece that curve is at; none yet
      const double *begin = t_.data(), *end = begin + t_.size();
      for (std::size_t k = 0; k < n; ++k) {
        const double t = times.data()[k];
        std::size_t i = set < t_.size() - 1 && begin[set] <= t && t < begin[set + 1] ? set : static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, std::upper_bound(begin, end, t) - begin - 1));
        while (before && before->data()[k] && i > 0 && t <= begin[i] && begin[i - 1] == begin[i]) --i;
        double* to[5];
        for (int c = 0; c < 5; ++c) to[c] = out[c].data() + k * widths[c];
        if (t <= begin[i] || i + 1 == t_.size()) {
          const RecordedState s = row(i);
          const double* from[5] = {s.y, row(unstruck(i)).a, s.lambda, s.data, s.xdot};
          for (int c = 0; c < 5; ++c)
            if (from[c]) std::copy(from[c], from[c] + widths[c], to[c]);
          continue;
        }
        if (set != i) move(curve, i), set = i;
        curve.evaluate(t, before && before->data()[k], rates, {to[0], to[1], to[4], to[2], to[3]});
      }
    }
    return nb::make_tuple(own_array(std::move(out[0]), {n, widths[0]}), own_array(std::move(out[1]), {n, widths[1]}), own_array(std::move(out[2]), {n, widths[2]}),
                          own_array(std::move(out[3]), {n, widths[3]}), own_array(std::move(out[4]), {n, widths[4]}));
  }

  /// (times, before): the recorded times and more between them, at least `points` over the run where they are even, `per_piece` in
  /// each piece and `per_turn` a turn, and both sides of each jump; at most about `most` besides the recorded ones.
  nb::tuple grid(double points, double per_piece, double per_turn, double most) const {
    std::vector<double> times;
    std::vector<std::uint8_t> before;
    {
      nb::gil_scoped_release release;
      BetweenStates curve(system_, scheme_);
      const std::size_t n = t_.size();
      std::vector<double> parts(n, 1.0), jumps(n, HUGE_VAL);
      const double whole = n > 1 ? t_.data()[n - 1] - t_.data()[0] : 0.0;
      double sum = 0.0;
      for (std::size_t i = 0; i + 1 < n; ++i) {
        const double h = t_.data()[i + 1] - t_.data()[i];
        if (!(h > 0.0)) continue;
        move(curve, i);
        if (const auto jump = curve.jump()) jumps[i] = *jump;
        parts[i] = std::max({per_piece, std::ceil(points * h / whole), std::ceil(per_turn * curve.turn() / (2.0 * std::numbers::pi)), 1.0});
        if (!(parts[i] < most)) parts[i] = std::isfinite(parts[i]) ? most : 1.0;  // of a run that blew up
        sum += parts[i] - 1.0;
      }
      const double share = sum > most ? most / sum : 1.0;
      for (std::size_t i = 0; i < n; ++i) {
        times.push_back(t_.data()[i]), before.push_back(i + 1 < n && t_.data()[i + 1] == t_.data()[i]);  // the first side of a jump
        if (i + 1 == n) break;
        const double t0 = t_.data()[i], h = t_.data()[i + 1] - t0;
        const int m = std::max(1, static_cast<int>(1.0 + share * (parts[i] - 1.0) + 0.5));
        bool jumped = !(jumps[i] < t_.data()[i + 1]);
        for (int k = 1; k < m || !jumped; ++k) {
          const double t = k < m ? t0 + h * k / m : HUGE_VAL;
          if (!jumped && jumps[i] <= t) {
            times.push_back(jumps[i]), before.push_back(1);
            times.push_back(jumps[i]), before.push_back(0);
            jumped = true;
            if (jumps[i] == t) continue;
          }
          if (k < m && t > t0) times.push_back(t), before.push_back(0);
        }
      }
    }
    const std::size_t n = times.size();
    return nb::make_tuple(own_array(std::move(times), {n}), own_array(std::move(before), {n}));
  }

 private:
  RecordedState row(std::size_t i) const {
    const Layout& l = system_->layout;
    const auto at = [i](const Given& x, int width) { return x.data() + i * static_cast<std::size_t>(width); };
    return {t_.data()[i], at(y_, l.y_size()), at(a_, l.nv), xdot_ ? at(*xdot_, l.nx) : nullptr, at(lambda_, l.rows), at(data_, l.nd)};
  }
  Piece before(std::size_t i) const { return piece_ ? static_cast<Piece>(std::clamp(static_cast<int>(piece_->data()[i]), 0, 3)) : Piece::smooth; }
  /// The state whose accelerations are those at state i: where a step with an impact ends, theirs are the impulse over the step.
  std::size_t unstruck(std::size_t i) const {
    if (before(i) != Piece::jump) return i;
    if (i + 1 < t_.size() && before(i + 1) != Piece::jump) return i + 1;
    return i > 0 && before(i - 1) != Piece::jump ? i - 1 : i;
  }
  void move(BetweenStates& curve, std::size_t i) const { curve.set(row(i), row(i + 1), before(i + 1), i > 0 && before(i) == Piece::jump); }

  std::shared_ptr<const System> system_;
  std::string scheme_;
  Given t_, y_, a_, lambda_, data_;
  std::optional<Given> xdot_, piece_;
};

}  // namespace

void bind_track(nb::module_& m) {
  nb::class_<Track>(m, "Track", "The motion of a run as a curve over time, through its recorded states.")
      .def(nb::init<const PythonSystem&, std::string, Given, Given, Given, Given, Given, std::optional<Given>, std::optional<Given>>(), "system"_a, "scheme"_a, "t"_a, "y"_a,
           "a"_a, "lam"_a, "data"_a, "xdot"_a.none() = nb::none(), "piece"_a.none() = nb::none(),
           "piece: by state, what lies before it: 0 parts of several steps, 1 one step or a part, 2 with a jump of velocities or bodies that are parted, 3 a step that ends at a sample.")
      .def("states", &Track::states, "times"_a, "before"_a.none() = nb::none(), "rates"_a = true,
           "(y, a, lam, data, xdot) at times within the run; before: by time 1 for what is before a jump there.")
      .def("grid", &Track::grid, "points"_a, "per_piece"_a = 1.0, "per_turn"_a = 0.0, "most"_a = 1e6, "(times, before) over the run, with both sides of each jump.");
}

}  // namespace saltus::python
