/* commands.c: the command table and the help that is generated from it. */
#include "bench/commands/commands.h"

#include <string.h>

const struct duel_command *const command_table[] = {
    &run_command,     &train_command,   &verify_command,   &list_command,     &devices_command,
    &explain_command, &doctor_command,  &selftest_command, &transfer_command, &roofline_command,
    &trace_command,   &gallery_command, &baseline_command, &compare_command,  &gate_command,
    &cards_command,   &predict_command, &advise_command,   &score_command,    &soak_command,
    &import_command,  &history_command, &report_command,   &replay_command,   NULL};

const char *commands_version(void)
{
    return DUEL_VERSION; /* given by the Makefile */
}

static void print_help(void)
{
    printf(
        "Example:  duel run                the one-minute demonstration: CPU against GPU on matrix multiplication\n"
        "          duel run gemm --n 512:4096:x2 --device cpu\n"
        "          duel explain gpu/gemm/tiled\n\n"
        "duel runs the same matrix work on the CPU and on the GPU, checks every answer, times transfers and kernels\n"
        "separately, and says how much faster, why, and how sure it is.\n\n"
        "Commands:\n");
    for (int i = 0; command_table[i]; i++)
        printf("  %-10s %s\n", command_table[i]->name, command_table[i]->summary);
    printf(
        "\n`duel COMMAND --help` shows the options of a command, an example first. `duel --version` names the "
        "version.\n"
        "\nExit codes: 0 done, 1 slower than before, 2 usage or input error, 3 wrong result, 4 no clean samples or\n"
        "inconclusive, 5 not comparable, 6 device or run-time error, 77 a device asked for by name is absent, 130 or\n"
        "143 interrupted (what was measured is kept). A file or directory that cannot be written ends with 2 before\n"
        "any work, with 6 once work has begun.\n");
}

static void print_command_help(const struct duel_command *command)
{
    printf("Example:  %s\n\nUsage: duel %s\n\n%s.\n", command->example, command->usage, command->summary);
    if (command->detail)
        printf("%s\n", command->detail);
    printf("\nOptions:\n");
    options_help(command->options, stdout);
}

static const struct duel_command *find_command(const char *name)
{
    for (int i = 0; command_table[i]; i++)
        if (strcmp(command_table[i]->name, name) == 0)
            return command_table[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[32];
    char near[200], next[240];
    int count = 0;
    struct duel_why why;
    for (; command_table[count] && count < 31; count++)
        names[count] = command_table[count]->name;
    names[count] = NULL;
    nearest_names(name, names, 2, near, sizeof near);
    snprintf(next, sizeof next,
             near[0] ? "did you mean %s? `duel --help` shows all commands" : "%s`duel --help` shows them", near);
    duel_fail(&why, DUEL_EINVAL, name[0] == '-' ? "options stand after the command" : "nothing was done", next,
              "there is no command %s", name);
    return message_error(DUEL_EINVAL, &why);
}

/* The command line as typed, for the record. */
static void join(char *line, size_t size, int argc, char **argv)
{
    size_t used = 0;
    line[0] = '\0';
    for (int i = 0; i < argc && used < size; i++) {
        int written = snprintf(line + used, size - used, "%s%s", i ? " " : "", i ? argv[i] : "duel");
        used += written > 0 ? (size_t)written : 0;
    }
}

int commands_main(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
        const struct duel_command *topic = argc > 2 ? find_command(argv[2]) : NULL;
        if (topic)
            print_command_help(topic);
        else
            print_help();
        return argc < 2 ? EXIT_USAGE : EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("duel %s\n", commands_version());
        return EXIT_DONE;
    }
    const struct duel_command *command = find_command(argv[1]);
    if (!command)
        return unknown_command(argv[1]);

    struct duel_options options;
    struct duel_why why = {{0}, {0}, {0}};
    options_defaults(&options);
    enum duel_status status = options_parse(argc, argv, 2, command->options, &options, &why);
    if (status == DUEL_OK && options.help) {
        print_command_help(command);
        return EXIT_DONE;
    }
    if (status == DUEL_OK && !command->patterns && options.pattern_count > 0)
        status = duel_fail(&why, DUEL_EINVAL, "it would be ignored", "leave it out",
                           "duel %s takes no argument, got %s", command->name, options.pattern[0]);
    if (status == DUEL_OK && command->computes)
        status = environment_check(&why);
    if (status != DUEL_OK)
        return message_error(status, &why);
    char line[4096];
    join(line, sizeof line, argc, argv);
    return command->run(&options, line);
}
