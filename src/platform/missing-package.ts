/** Whether an import failed because the package isn't installed. One that is there but lacks a dependency fails with the same code. */
export function isMissingPackage(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") && message.includes(`'${name}'`);
}
