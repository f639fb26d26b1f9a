#include "cli/progress/lab_json.h"

#include "core/results.h"

namespace lab::cli {

Json lab_json(const Lab& lab, const std::optional<Standing>& standing, bool untouched) {
    return {{"type", "lab"},
            {"schema", kResultsSchema},
            {"lab", lab.name},
            {"title", lab.title},
            {"minutes", lab.minutes},
            {"needs", lab.needs},
            {"file", lab.file().string()},
            {"untouched", untouched},
            {"best_points", standing ? Json(standing->best_points) : nullptr},
            {"points", standing ? Json(standing->points) : nullptr},
            {"max_points", standing ? Json(standing->max_points) : nullptr}};
}

}  // namespace lab::cli
