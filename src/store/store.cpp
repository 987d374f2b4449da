#include "store/store.hpp"

namespace semel {

void Store::copy(IsWanted /*is_wanted*/, Done<OpenFile> done) {
    done(Error(ErrorCode::refused, "the store (" + info().kind +
                                       ") is not one file that could be copied: back it up with "
                                       "its own tools"));
}

}  // namespace semel
