/**
 * What the compiler says about types that `@required` and `@optional` leave out. If the plug-in of `toolwright/bundler` writes them, add
 * the member `areWritten: true` in `declare module "toolwright"`, and the compiler accepts decorators without a type. See
 * docs/toolchains.md.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add to it
export interface TypesLeftOut {}
