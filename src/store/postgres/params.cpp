#include "store/postgres/params.hpp"

namespace semel::postgres {
namespace {

// Network byte order.
template <typename Integer>
void put(std::string& out, Integer value) {
    std::array<char, sizeof(Integer)> bytes{};
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const std::size_t shift = 8 * (bytes.size() - 1 - i);
        bytes[i] = static_cast<char>(static_cast<std::uint64_t>(value) >> shift & 0xFFU);
    }
    out.append(bytes.data(), bytes.size());
}

void put_sized(std::string& out, const void* data, std::size_t size) {
    put(out, static_cast<std::int32_t>(size));
    out.append(static_cast<const char*>(data), size);
}

unsigned array_type(Type element) {
    switch (element) {
        case Type::boolean: return 1000;
        case Type::bytea: return 1001;
        case Type::int8: return 1016;
        case Type::text: return 1009;
        case Type::tid: return 1010;
        case Type::uuid: return 2951;
    }
    return 0;
}

}  // namespace

void Array::null() {
    put(elements_, std::int32_t{-1});
    has_null_ = true;
    ++count_;
}

void Array::integer(std::int64_t value) {
    put(elements_, std::int32_t{sizeof(value)});
    put(elements_, value);
    ++count_;
}

void Array::boolean(bool value) {
    put(elements_, std::int32_t{1});
    elements_.push_back(value ? '\1' : '\0');
    ++count_;
}

void Array::bytes(std::string_view value) {
    put_sized(elements_, value.data(), value.size());
    ++count_;
}

void Array::id(const Uuid& value) {
    put_sized(elements_, value.bytes.data(), value.bytes.size());
    ++count_;
}

void Array::hash(const Hash256& value) {
    put_sized(elements_, value.bytes.data(), value.bytes.size());
    ++count_;
}

void Array::tid(const Tid& value) {
    put_sized(elements_, value.bytes.data(), value.bytes.size());
    ++count_;
}

Array array_of(const std::vector<Uuid>& ids) {
    Array array(Type::uuid);
    for (const Uuid& id : ids) array.id(id);
    return array;
}

Array array_of(const std::vector<Hash256>& hashes) {
    Array array(Type::bytea);
    for (const Hash256& hash : hashes) array.hash(hash);
    return array;
}

Array array_of(const std::vector<std::string>& texts) {
    Array array(Type::text);
    for (const std::string& text : texts) array.bytes(text);
    return array;
}

Params& Params::add(unsigned type, std::optional<std::string> value) {
    types_.push_back(type);
    values_.push_back(std::move(value));
    return *this;
}

Params& Params::null(Type type) {
    return add(static_cast<unsigned>(type), std::nullopt);
}

Params& Params::integer(std::int64_t value) {
    std::string bytes;
    put(bytes, value);
    return add(static_cast<unsigned>(Type::int8), std::move(bytes));
}

Params& Params::boolean(bool value) {
    return add(static_cast<unsigned>(Type::boolean), std::string(1, value ? '\1' : '\0'));
}

Params& Params::text(std::string_view value) {
    return add(static_cast<unsigned>(Type::text), std::string(value));
}

Params& Params::bytes(std::string_view value) {
    return add(static_cast<unsigned>(Type::bytea), std::string(value));
}

Params& Params::id(const Uuid& value) {
    return add(static_cast<unsigned>(Type::uuid),
               std::string(value.bytes.begin(), value.bytes.end()));
}

Params& Params::hash(const Hash256& value) {
    return bytes({reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size()});
}

//   array := dimensions (1) has_null element_type count lower_bound (1) element*
//   element := size (-1: null) byte*
Params& Params::array(const Array& value) {
    std::string bytes;
    bytes.reserve(value.elements_.size() + 20);
    put(bytes, std::int32_t{1});
    put(bytes, std::int32_t{value.has_null_ ? 1 : 0});
    put(bytes, static_cast<std::int32_t>(value.element_));
    put(bytes, static_cast<std::int32_t>(value.count_));
    put(bytes, std::int32_t{1});
    bytes += value.elements_;
    return add(array_type(value.element_), std::move(bytes));
}

}  // namespace semel::postgres
