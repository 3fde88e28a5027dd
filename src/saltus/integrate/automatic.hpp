// scheme="auto": by the model's kind, and for smooth motion by the stiffness seen.
#pragma once

#include <string>

#include "saltus/integrate/scheme.hpp"

namespace saltus {

/// What scheme="auto" takes for a model, and why.
struct AutomaticChoice {
  const Scheme* scheme = nullptr;
  std::string reason;
};

/// Set-valued laws, contacts: moreau_jean, with bodies that bend nonsmooth_generalized_alpha if it takes the laws.
/// Fixed steps: generalized_alpha with joints or algebraic unknowns, else dormand_prince. With error
/// control: generalized_alpha where rows are redundant, or for what an explicit scheme cannot hold or was not asked for by its options; else
/// the watchful pair: dormand_prince, which hands over to generalized_alpha where it turns stiff.
AutomaticChoice automatic_choice(const System& system, const SchemeOptions& options);

/// Dormand-Prince until its step is bound by stability for long; then generalized-alpha, on trial: where that does not make steps four
/// times as long, the run goes back, and waits longer before the next trial. Event `scheme` where it stays.
const Scheme& watchful_pair();

/// The scheme that a state is advanced with: of the pair the one in use, else the scheme's own name.
std::string_view scheme_in_use(const Scheme& scheme, const Plan& plan, const State& state);
/// The reason for scheme_in_use at the end of a run, in a few words; of the pair.
std::string reason_in_use(const Scheme& scheme, const Plan& plan, const State& state);

}  // namespace saltus
