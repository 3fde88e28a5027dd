#include "saltus/pool/pool.hpp"

namespace saltus {

void blocks_in_item_order(int n, bool parallel, PoolScratch& scratch, Threads& threads, const BlockSlots& to, double factor, const BlocksOf& evaluate) {
  in_item_order(n, parallel, scratch, threads, [&](int i) { return to.begin[i]; }, evaluate,
                [&](int begin, int end, const double* in) {
                  for (int i = begin; i < end; ++i) {
                    const int count = to.begin[i + 1] - to.begin[i];
                    to.add(i, in, count, factor);
                    in += count;
                  }
                });
}

}  // namespace saltus
