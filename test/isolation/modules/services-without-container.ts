// biome-ignore lint/style/noDefaultExport: that is the form of a set-up module
export default 42;
