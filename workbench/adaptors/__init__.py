"""Games for other people's harnesses. Each adaptor needs the extra `peers`, and asks a game for nothing but what
everybody may ask it for (docs/adaptors.md)."""
