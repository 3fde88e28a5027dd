# find_package(saltus): headers, static layers and their targets saltus::<layer>; saltus::saltus links them all.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(saltus_all INTERFACE)
set_target_properties(saltus_all PROPERTIES EXPORT_NAME saltus)
set_target_properties(saltus_options PROPERTIES EXPORT_NAME options)
set(saltus_installed saltus_all saltus_options)
foreach(layer IN LISTS SALTUS_LAYERS)
  if(TARGET saltus_${layer})
    set_target_properties(saltus_${layer} PROPERTIES EXPORT_NAME ${layer})
    target_link_libraries(saltus_all INTERFACE saltus_${layer})
    list(APPEND saltus_installed saltus_${layer})
  endif()
endforeach()

install(TARGETS ${saltus_installed} EXPORT saltusTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/saltus COMPONENT engine)
install(DIRECTORY src/saltus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT engine FILES_MATCHING PATTERN "*.hpp")
install(EXPORT saltusTargets NAMESPACE saltus:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/saltus COMPONENT engine)
configure_package_config_file(cmake/saltusConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/saltusConfig.cmake"
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/saltus)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/saltusConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/saltusConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/saltusConfigVersion.cmake"
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/saltus COMPONENT engine)
