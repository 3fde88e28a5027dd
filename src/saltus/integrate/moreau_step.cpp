#include "saltus/integrate/moreau_step.hpp"

namespace saltus {

MoreauStep::MoreauStep(const MoreauPlan& plan)
    : model_(plan), plan_(plan), system_(model_.system), assembly_(model_.assembly), contacts_(system_, plan.of_start(), plan.tells_contacts(), plan.options.error_control), offsets_(model_, contacts_), beginning_(model_, rows_, before_, contacts_, offsets_),
      statuses_(model_, rows_, before_, solution_, end_, offsets_), projection_(model_, statuses_), matrices_(model_, rows_, before_, problem_),
      equations_(model_, rows_, before_, problem_, solution_, end_, contacts_, projection_), solver_(model_, contacts_, offsets_),
      noise_(model_, rows_, before_, problem_, solution_, end_, contacts_), reactions_(system_, assembly_), kept_(plan), switches_(system_) {
  allowed_.kept = (model_.affine || (model_.by_position && kept_.follows_modes())) && model_.laws.empty() && !plan.options.error_control && plan.gamma == 1.0;
  equations_.measure_by(solver_.circuit().potentials());
  kept_.measure_by(solver_.circuit().potentials());
  gap_.reserve(2 * plan.entries.size());
}

}  // namespace saltus
