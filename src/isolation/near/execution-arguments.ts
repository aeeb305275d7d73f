/** Options of Node that are for one process: a debugger's port, a program or a mode instead of a file. */
const ofOneProcess =
  /^--?(?:inspect|eval$|e$|print$|p$|pe$|check$|c$|interactive$|i$|test|watch|run|cpu-prof|heap-prof|prof|build-|experimental-sea)/;
/** Those of them whose value may be the next argument. */
const withValue = /^(?:-e|--eval|-p|--print|-pe|--run|--inspect-port|--inspect-publish-uid)$/;

/** The application's own options of Node, such as its loaders, as a child process gets them. */
export function inheritedArguments(given: readonly string[]): string[] {
  const inherited: string[] = [];
  for (let index = 0; index < given.length; index += 1) {
    const option = given[index] as string;
    if (!ofOneProcess.test(option)) inherited.push(option);
    else if (withValue.test(option)) index += 1;
  }
  return inherited;
}
