#include "store/transfer/transfer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace semel {
namespace {

constexpr std::array<std::string_view, kRowKinds.size()> kCopying = {
    "copying keys",      "copying actions",    "copying lock groups", "copying schedules",
    "copying bulk runs", "copying API tokens", "copying decisions",   "copying blockers",
    "copying sources",   "copying answers"};

class Transfer {
public:
    Transfer(TransferSource& source, TransferTarget& target, const TransferWatch& watch)
        : source_(source), target_(target), watch_(watch) {}

    Result<TransferReport> run() {
        SEMEL_TRY(state, target_.begin(source_.origin()));
        TransferReport report;
        report.finished_before = state.finished_at;
        if (state.finished_at) {
            return report;
        }
        done_ = state.rows;
        SEMEL_CHECK(copy(std::move(state)));
        SEMEL_TRY(tally, compare());
        report.tally = tally;
        SEMEL_CHECK(target_.finish(source_.origin()));
        return report;
    }

private:
    Result<void> copy(TransferState state) {
        while (!state.is_copied()) {
            SEMEL_CHECK(go_on(kCopying.at(state.kind)));
            SEMEL_TRY(page, source_.page(kRowKinds.at(state.kind), state.after));
            TransferState next = state;
            next.rows += page.count;
            next.after = page.last;
            if (page.count == 0) {
                ++next.kind;
                next.after.clear();
            }
            SEMEL_CHECK(target_.put(page, state, next));
            done_ += page.count;
            state = std::move(next);
        }
        return {};
    }

    Result<StoreTally> compare() {
        SEMEL_TRY(source, tally_of(source_, "reading back the source"));
        SEMEL_TRY(target, tally_of(target_, "reading back the target"));
        for (std::size_t i = 0; i < source.tables().size(); ++i) {
            const TableTally& here = source.tables().at(i);
            const TableTally& there = target.tables().at(i);
            if (here != there) {
                return Error(ErrorCode::corrupt,
                             fmt::format("{} differ: {} rows with the hash {} in the source, {} "
                                         "with {} in the target, which nobody may use like that: "
                                         "drop its schema semel and begin again",
                                         here.name, here.tally.rows, here.tally.sum.to_hex(),
                                         there.tally.rows, there.tally.sum.to_hex()));
            }
        }
        return source;
    }

    Result<StoreTally> tally_of(RowPages& rows, std::string_view what) {
        StoreTally tally;
        for (const RowKind kind : kRowKinds) {
            std::string after;
            do {
                SEMEL_CHECK(go_on(what));
                SEMEL_TRY(page, rows.page(kind, after));
                tally.add(page);
                done_ += page.count;
                after = std::move(page.last);
            } while (!after.empty());
        }
        return tally;
    }

    // Every row is touched three times: copied, and read twice.
    Result<void> go_on(std::string_view what) {
        const auto all = static_cast<double>(std::max<std::int64_t>(source_.origin().rows, 1)) * 3;
        if (watch_(what, static_cast<double>(done_) / all)) {
            return {};
        }
        return Error(ErrorCode::stopped, "stopped");
    }

    TransferSource& source_;
    TransferTarget& target_;
    const TransferWatch& watch_;
    std::int64_t done_ = 0;
};

}  // namespace

Result<TransferReport> transfer_rows(TransferSource& source, TransferTarget& target,
                                     const TransferWatch& watch) {
    return Transfer(source, target, watch).run();
}

}  // namespace semel
