/* Where the program finds its own files: in a build tree, in an installation, and where the environment says.
 *
 * Called as `paths show`, the program prints both directories: copies of it are started from trees made for the test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench/options/options.h"

struct tree {
    char top[200];
};

static int make_tree(void **state)
{
    struct tree *tree = calloc(1, sizeof *tree);
    const char *above = getenv("TMPDIR");
    char real[PATH_MAX];
    if (!tree)
        return -1;
    snprintf(tree->top, sizeof tree->top, "%.150s/duel-paths-XXXXXX", above && *above ? above : "/tmp");
    if (!mkdtemp(tree->top) || !realpath(tree->top, real) || strlen(real) >= sizeof tree->top)
        return -1;
    strcpy(tree->top, real); /* as /proc/self/exe will show it */
    unsetenv("DUEL_PLUGIN_DIR");
    unsetenv("DUEL_DATA_DIR");
    *state = tree;
    return 0;
}

static int remove_tree(void **state)
{
    struct tree *tree = *state;
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", tree->top);
    free(tree);
    return system(command);
}

/* Runs a shell command in the tree. */
static void shell(const struct tree *tree, const char *command)
{
    char line[1000];
    snprintf(line, sizeof line, "cd '%s' && %s", tree->top, command);
    assert_int_equal(system(line), 0);
}

/* Copies this program to TOP/`program`, runs it there and compares what it found with two places below TOP. */
static void expect(const struct tree *tree, const char *program, const char *plugins, const char *data)
{
    char own[PATH_MAX] = "", line[PATH_MAX + 800], got[2][PATH_MAX] = {"", ""}, wanted[PATH_MAX];
    assert_true(readlink("/proc/self/exe", own, sizeof own - 1) > 0);
    snprintf(line, sizeof line, "mkdir -p \"$(dirname '%s/%s')\" && cp '%s' '%s/%s' && '%s/%s' show", tree->top,
             program, own, tree->top, program, tree->top, program);
    FILE *out = popen(line, "r");
    assert_non_null(out);
    for (int i = 0; i < 2; i++) {
        assert_non_null(fgets(got[i], PATH_MAX, out));
        got[i][strcspn(got[i], "\n")] = '\0';
    }
    assert_int_equal(pclose(out), 0);
    snprintf(wanted, sizeof wanted, "%s/%s", tree->top, plugins);
    assert_string_equal(got[0], wanted);
    snprintf(wanted, sizeof wanted, "%s/%s", tree->top, data);
    assert_string_equal(got[1], wanted);
}

static void a_build_tree_is_found(void **state)
{
    const struct tree *tree = *state;
    shell(tree, "mkdir -p bench build/lib reports && touch bench/duel.h build/lib/libduel.a");
    expect(tree, "build/bin/duel", "build/lib", "reports");
    expect(tree, "build/tests/paths", "build/lib", "reports");
    expect(tree, "build/tests/deeper/paths", "build/lib", "reports");
    shell(tree, "mkdir -p build/other/lib && touch build/other/lib/libduel.a"); /* a build with other flags */
    expect(tree, "build/other/bin/duel", "build/other/lib", "reports");
    expect(tree, "build/other/tests/paths", "build/other/lib", "reports");
}

static void an_installation_is_found(void **state)
{
    const struct tree *tree = *state;
    shell(tree, "mkdir -p usr/lib/duel usr/share/duel");
    expect(tree, "usr/bin/duel", "usr/lib/duel", "usr/share/duel");
    shell(tree, "mv usr opt"); /* and moved */
    expect(tree, "opt/bin/duel", "opt/lib/duel", "opt/share/duel");
    /* An installation inside a checkout: its own files win over those of the build tree. */
    shell(tree, "mkdir -p bench build/lib reports && touch bench/duel.h build/lib/libduel.a");
    shell(tree, "mkdir -p build/inst/lib/duel build/inst/share/duel");
    expect(tree, "build/inst/bin/duel", "build/inst/lib/duel", "build/inst/share/duel");
}

static void without_either_the_place_of_an_installation_is_named(void **state)
{
    const struct tree *tree = *state;
    expect(tree, "a/bin/duel", "a/lib/duel", "a/share/duel");
}

static void the_environment_decides(void **state)
{
    (void)state;
    setenv("DUEL_PLUGIN_DIR", "/some/plugins", 1);
    setenv("DUEL_DATA_DIR", "relative/data", 1);
    assert_string_equal(paths_plugin_dir(), "/some/plugins");
    assert_string_equal(paths_data_dir(), "relative/data");
    setenv("DUEL_PLUGIN_DIR", "", 1); /* empty is as good as unset */
    assert_true(paths_plugin_dir()[0] == '/');
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, make_tree, remove_tree)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(a_build_tree_is_found),
        TEST(an_installation_is_found),
        TEST(without_either_the_place_of_an_installation_is_named),
        TEST(the_environment_decides),
    };
    if (argc == 2 && strcmp(argv[1], "show") == 0)
        return printf("%s\n%s\n", paths_plugin_dir(), paths_data_dir()) < 0;
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
