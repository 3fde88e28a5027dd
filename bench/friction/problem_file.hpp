// Reads the binary problem files that bench/friction/convert.py writes.
#pragma once

#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "saltus/problem/problem.hpp"

namespace saltus::bench {

struct FrictionFile {
  Problem problem;
  std::vector<double> friction;
  bool global = false;
  int dimension = 3;
};

inline double friction_of(const double* parameters) { return *parameters; }
inline const SetType coulomb2{"coulomb_2d", 2, nullptr, nullptr, nullptr, friction_of};
inline const SetType coulomb3{"coulomb_3d", 3, nullptr, nullptr, nullptr, friction_of};

template <class T>
std::vector<T> read_array(std::ifstream& in, std::size_t n) {
  std::vector<T> values(n);
  in.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(n * sizeof(T)));
  return values;
}

inline SparseRows read_matrix(std::ifstream& in) {
  const auto shape = read_array<std::int32_t>(in, 3);
  const auto begin = read_array<std::int32_t>(in, shape[0] + 1), index = read_array<std::int32_t>(in, shape[2]);
  const auto value = read_array<double>(in, shape[2]);
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < shape[0]; ++i)
    for (int k = begin[i]; k < begin[i + 1]; ++k) entries.emplace_back(i, index[k], value[k]);
  SparseRows A(shape[0], shape[1]);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

inline FrictionFile read_friction_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const auto head = read_array<std::int32_t>(in, 4);
  if (!in || head[0] != 0x53414c54) throw std::runtime_error(path + ": not a friction problem; write it with convert.py");
  FrictionFile file;
  file.dimension = head[1], file.global = head[2] != 0;
  const std::size_t rows = static_cast<std::size_t>(head[1]) * head[3];
  SparseRows A = read_matrix(in);
  if (file.global) {
    file.problem.M = A;
    file.problem.H = read_matrix(in).transpose();
    file.problem.p0 = read_array<double>(in, A.rows());
  } else {
    file.problem.D = A;
  }
  file.problem.b = read_array<double>(in, rows);
  file.friction = read_array<double>(in, head[3]);
  return file;
}

/// Blocks that point into `file.friction`; call it where the file has come to rest.
inline void set_blocks(FrictionFile& file) {
  file.problem.blocks.clear();
  for (std::size_t c = 0; c < file.friction.size(); ++c)
    file.problem.blocks.push_back({static_cast<int>(c) * file.dimension, file.dimension,
                                   file.dimension == 2 ? &coulomb2 : &coulomb3, &file.friction[c], 1.0});
}

}  // namespace saltus::bench
