#include "saltus/system/law_memory.hpp"

#include <algorithm>
#include <cmath>

#include "saltus/base/errors.hpp"
#include "saltus/base/index.hpp"
#include "saltus/system/usual_contacts.hpp"

namespace saltus {
namespace {
constexpr double closed = 1e-6;  // of the model's size: a gap that is closed where a run begins
}

int LawMemory::relation_numbers(const System& s) {
  int numbers = 0;
  for (const auto& pool : s.relations)
    for (int i = 0; i < pool->size(); ++i) numbers += pool->law(i).type->memory;
  return numbers;
}

int LawMemory::entry_size(const System& s) {
  int most = 0;
  for (const ContactLaw& law : s.contacts.laws) most = std::max(most, law.law.type->memory);
  return most == 0 ? 0 : 1 + most;
}

int LawMemory::capacity(const System& s) { return entry_size(s) == 0 ? 0 : usual_contacts(s.contacts); }

int LawMemory::size(const System& s) {
  const int numbers = relation_numbers(s) + entry_size(s) * capacity(s);
  return numbers == 0 ? 0 : head + numbers;
}

LawMemory::LawMemory(const System& system) : system_(system), empty_(size(system) == 0), entry_(entry_size(system)), set_(system.contacts) {
  if (empty_) return;
  int next = head;
  for (const RelationEntry& e : system.relation_entries) {
    const int numbers = e.law.type->memory;
    place_.push_back(numbers > 0 ? next : -1);
    number_.push_back(numbers > 0 ? count_of(parameters_) : -1);
    if (numbers > 0) parameters_.emplace_back();
    next += numbers;
    now_.push_back(e.law);
  }
  contacts_ = next;
  for (const ContactLaw& law : system.contacts.laws)
    if (law.law.type->memory > 0) reach_ = std::max({reach_, 0.0, law.law.type->reach ? law.law.type->reach(law.law.fields) : 0.0});
  y_.resize(system.layout.rows), time_rate_.resize(y_.size()), rate_.resize(y_.size());
}

/// Values and rates of the relations that remember.
void LawMemory::rows(Assembly& assembly) {
  assembly.input_blocks({.y = y_.data(), .time_rate = time_rate_.data()});
  const double* v = assembly.kinematics().y + system_.layout.v_begin();
  for (std::size_t i = 0; i < place_.size(); ++i) {
    if (place_[i] < 0) continue;
    const RelationEntry& e = system_.relation_entries[i];
    const bool value = system_.relations[e.pool]->traits().written == Level::value;
    const double* H = assembly.direction(e);
    const int* columns = system_.relation_columns.data() + e.column_begin;
    for (int r = 0; r < e.rows; ++r) {
      double sum = value ? time_rate_[e.row + r] : y_[e.row + r];
      for (int c = 0; value && c < e.columns; ++c)
        if (columns[c] < system_.layout.unknowns()) sum += H[r * e.columns + c] * v[columns[c]];
      rate_[e.row + r] = sum;
    }
  }
}

/// order_ := the contacts of set_ by their identities.
void LawMemory::find_order() {
  order_.clear();
  for (const Contact& c : set_.contacts()) order_.emplace_back(c.identity(), count_of(order_));
  std::sort(order_.begin(), order_.end());
}

LawSight LawMemory::sight_of(const RelationEntry& e, const Kinematics& k) const {
  const bool value = system_.relations[e.pool]->traits().written == Level::value;
  return {.rows = e.rows, .since = k.since, .gap = y_[e.row], .closed = closed * system_.length_scale, .y = value ? y_.data() + e.row : nullptr, .rate = rate_.data() + e.row};
}

void LawMemory::begin(Assembly& assembly, double* block) {
  double* table = block + system_.law_history;
  if (empty_ || table[0] != 0.0) return;
  table[0] = 1.0, table[1] = 0.0;
  rows(assembly);
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (place_[i] >= 0) (void)e.law.type->begin(e.law.fields, sight_of(e, assembly.kinematics()), table + place_[i]);
  }
  if (!of_contacts()) return;
  set_.find(assembly.kinematics(), reach_);
  find_order();
  const double* v = assembly.kinematics().y + system_.layout.v_begin();
  int count = 0;
  for (const auto& [identity, number] : order_) {
    const Contact& c = set_.contacts()[number];
    const LawRef& law = system_.contacts.law(c);
    double kept[LawType::most_parameters] = {}, rate[ContactGroup::most_rows];
    for (int r = 0; r < c.rows; ++r) rate[r] = set_.rate(c, r, v);
    if (law.type->memory == 0 || !law.type->begin(law.fields, {.rows = c.rows, .gap = c.gap, .closed = closed * system_.length_scale, .rate = rate}, kept)) continue;
    if (count == capacity(system_)) throw ModelError("contacts", "more than " + std::to_string(count) + " contacts remember by their law, too many for so few shapes; give fewer points of contact");
    double* entry = table + contacts_ + entry_ * count++;
    entry[0] = identity;
    std::copy_n(kept, law.type->memory, entry + 1);
  }
  table[1] = count;
}

void LawMemory::remember(Assembly& assembly, double* block) {
  if (empty_) return;
  double* table = block + system_.law_history;
  const Kinematics& k = assembly.kinematics();
  rows(assembly);
  for (std::size_t i = 0; i < place_.size(); ++i) {
    const RelationEntry& e = system_.relation_entries[i];
    if (place_[i] >= 0) (void)e.law.type->remember(e.law.fields, sight_of(e, k), table + place_[i]);
  }
  if (!of_contacts() || table[1] == 0.0) return;
  set_.find(k, reach_);
  const double* v = k.y + system_.layout.v_begin();
  find_order();
  int count = 0;
  for (int i = 0; i < static_cast<int>(table[1]); ++i) {
    double* old = table + contacts_ + entry_ * i;
    const auto found = std::lower_bound(order_.begin(), order_.end(), std::pair{old[0], 0});
    if (found == order_.end() || found->first != old[0]) continue;
    const Contact& c = set_.contacts()[found->second];
    const LawRef& law = system_.contacts.law(c);
    double rate[ContactGroup::most_rows];
    for (int r = 0; r < c.rows; ++r) rate[r] = set_.rate(c, r, v);
    if (!law.type->remember(law.fields, {.rows = c.rows, .since = k.since, .gap = c.gap, .closed = closed * system_.length_scale, .rate = rate}, old + 1)) continue;
    std::copy_n(old, entry_, table + contacts_ + entry_ * count++);
  }
  table[1] = count;
}

double LawMemory::since(double t, const double* data) const {
  const double time = data[system_.history + HistoryBlock::time];
  return std::isnan(time) ? 0.0 : t - time;
}

void LawMemory::see(int i, LawSight sight, const double* data) {
  const RelationEntry& e = system_.relation_entries[i];
  const double* table = data + system_.history + system_.law_history;
  LawRef& now = now_[i];
  sight.rows = e.rows, sight.closed = closed * system_.length_scale;
  auto& parameters = parameters_[number_[i]];
  now.pull = e.law.type->now(e.law.fields, sight, table[0] != 0.0 ? table + place_[i] : nullptr, parameters.data());
  now.parameters = parameters.data();
  now.across = now.pull > 0.0;
}

bool LawMemory::switches(int i, double y, const double* data) const {
  const LawRef& law = system_.relation_entries[i].law;
  if (law.type->memory == 0 || law.written != 0) return false;
  const double *table = data + system_.history + system_.law_history, *kept = table + place_[i];
  double then[LawType::most_parameters];
  std::copy_n(kept, law.type->memory, then);
  return table[0] != 0.0 && law.type->remember(law.fields, {.gap = y}, then) && !std::equal(kept, kept + law.type->memory, then);
}

/// Contacts stand in the order of their identities.
const double* LawMemory::known(const double* table, double identity) const {
  int from = 0, to = static_cast<int>(table[1]);
  const double* first = table + contacts_;
  while (from < to) {
    const int middle = from + (to - from) / 2;
    if (first[entry_ * middle] < identity) from = middle + 1;
    else to = middle;
  }
  return from < static_cast<int>(table[1]) && first[entry_ * from] == identity ? first + entry_ * from + 1 : nullptr;
}

LawRef LawMemory::contact(const Contact& c, LawSight sight, const double* data) {
  LawRef now = system_.contacts.law(c);
  if (now.type->memory == 0) return now;
  const double* table = data + system_.history + system_.law_history;
  sight.rows = c.rows, sight.closed = closed * system_.length_scale;
  double parameters[LawType::most_parameters];
  const double* memory = table[0] != 0.0 ? known(table, c.identity()) : nullptr;
  now.pull = now.type->now(now.fields, sight, memory, parameters);
  now.across = now.pull > 0.0;
  return now;
}

}  // namespace saltus
