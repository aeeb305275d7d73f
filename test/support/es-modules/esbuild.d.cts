export { build, transform } from "esbuild";
