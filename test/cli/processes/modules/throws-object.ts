// biome-ignore lint/style/useThrowOnlyError: a library may throw this
throw { code: 7 };

export {};
