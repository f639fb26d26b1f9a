// JUnit's XML, which most continuous-integration systems and Artemis read.
#pragma once

#include <string>
#include <vector>

#include "report/exports/export_grade.h"

namespace lab {

/// One file of one student: a test suite for each lab, in the order given. Grades that are still
/// open have one test case, which is skipped.
std::string junit_xml(const std::vector<ExportGrade>& labs);

/// `text` for an attribute or an element of XML 1.0. Characters that XML does not allow, and bytes
/// that are not UTF-8, become ?.
std::string xml_escaped(std::string_view text);

}  // namespace lab
