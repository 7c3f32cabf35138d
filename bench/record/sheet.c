#include "bench/record/sheet.h"

#include "bench/record/csv.h"

static void read_cell(const struct duel_cell *cell, const void *row, struct duel_value *value)
{
    *value = (struct duel_value){.kind = VALUE_UNKNOWN};
    cell->read((const char *)row + cell->offset, value);
}

void sheet_record(const struct duel_sheet *sheet, const void *row, struct duel_record *record)
{
    record_init(record, sheet->kind);
    for (const struct duel_cell *cell = sheet->cell; cell->name; cell++) {
        struct duel_value value;
        read_cell(cell, row, &value);
        if (value.kind != VALUE_UNKNOWN)
            record_value(record, cell->name, &value);
        else if (cell->why)
            record_why(record, cell->name, cell->why(row));
    }
}

void sheet_csv_header(const struct duel_sheet *sheet, FILE *stream)
{
    const char *comma = "";
    for (const struct duel_cell *cell = sheet->cell; cell->name; cell++) {
        if (!cell->csv)
            continue;
        fprintf(stream, "%s%s", comma, cell->name);
        comma = ",";
    }
    fputc('\n', stream);
}

void sheet_csv_row(const struct duel_sheet *sheet, const void *row, FILE *stream)
{
    const char *comma = "";
    for (const struct duel_cell *cell = sheet->cell; cell->name; cell++) {
        struct duel_value value;
        if (!cell->csv)
            continue;
        read_cell(cell, row, &value);
        fputs(comma, stream);
        csv_value(stream, &value);
        comma = ",";
    }
    fputc('\n', stream);
}

void sheet_dictionary(const struct duel_sheet *sheet, FILE *stream)
{
    fputs("| field | unit | CSV | meaning |\n|---|---|---|---|\n", stream);
    for (const struct duel_cell *cell = sheet->cell; cell->name; cell++)
        fprintf(stream, "| `%s` | %s | %s | %s |\n", cell->name, cell->unit, cell->csv ? "yes" : "no", cell->help);
}
