/* try.h: passes a failure on; for functions that return enum duel_status. */
#ifndef DUEL_TRY_H
#define DUEL_TRY_H

#define TRY(expression)                          \
    do {                                         \
        enum duel_status status_ = (expression); \
        if (status_ != DUEL_OK)                  \
            return status_;                      \
    } while (0)

#endif
