/* json.c: what was seen of an exhibit, for programs. */
#include "bench/gallery/gallery.h"

static json_t *finding_json(const struct duel_finding *f)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:s, s:s, s:s}", "kind", f->kind, "kernel", f->kernel, "here",
                     f->here, "there", f->there, "array", f->array, "index", (json_int_t)f->index, "seen", f->seen,
                     "why", f->matters, "next", f->next);
}

static json_t *look_json(const struct gallery_look *look, bool as_it_should)
{
    const struct duel_exhibit_visit *visit = &look->visit;
    json_t *object = json_pack("{s:s, s:b, s:I}", "order", gallery_order_name(look->order), "as_it_should",
                               (int)as_it_should, "findings", (json_int_t)look->findings);
    if (look->order == DUEL_INSPECT_RANDOM)
        json_object_set_new(object, "seed", json_integer((json_int_t)look->seed));
    if (visit->status == DUEL_OK) {
        json_object_set_new(object, "values", json_integer((json_int_t)visit->checked));
        json_object_set_new(object, "wrong_values", json_integer((json_int_t)visit->wrong));
    } else {
        json_object_set_new(object, "values_why", json_string(visit->why.seen));
    }
    if (look->cost >= 0)
        json_object_set_new(object, "cost", json_integer((json_int_t)look->cost));
    if (look->findings > 0)
        json_object_set_new(object, "finding", finding_json(&look->finding));
    return object;
}

json_t *gallery_json(const struct gallery_verdict *verdict)
{
    const struct duel_exhibit *exhibit = verdict->pair->wrong;
    char evidence[80];
    json_t *wrong = json_array(), *right = json_array();
    for (int i = 0; i < verdict->orders; i++) {
        json_array_append_new(wrong, look_json(&verdict->wrong[i], gallery_found(exhibit, &verdict->wrong[i])));
        json_array_append_new(right,
                              look_json(&verdict->right[i], gallery_clean(verdict->pair->right, &verdict->right[i])));
    }
    return json_pack("{s:s, s:s, s:s, s:b, s:b, s:s, s:s, s:s, s:o, s:o}", "name", exhibit->name, "bug", exhibit->bug,
                     "found_by", gallery_evidence(verdict->pair, evidence, sizeof evidence), "found",
                     (int)verdict->found, "clean", (int)verdict->clean, "lesson", exhibit->lesson, "on_a_gpu",
                     exhibit->on_a_gpu, "mend", exhibit->mend, "broken_version", wrong, "right_version", right);
}
