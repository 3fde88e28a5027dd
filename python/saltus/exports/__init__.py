"""Results as tables and files of other programs: data frames, CSV, Parquet, MAT, HDF5, VTKHDF, glTF."""
