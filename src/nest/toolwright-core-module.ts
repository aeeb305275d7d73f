import { Module } from "@nestjs/common";
import { ModuleRef, ModulesContainer } from "@nestjs/core";
import { ApplicationRuns } from "./application-runs.js";
import { Features } from "./features.js";
import { moduleOptions, type ToolwrightModuleOptions } from "./module-options.js";
import { RequestContexts } from "./request-contexts.js";
import { StartCheck } from "./start-check.js";

/** What the features of one application share; `forRoot` may be absent. */
@Module({
  providers: [
    Features,
    {
      provide: ApplicationRuns,
      inject: [{ token: moduleOptions, optional: true }],
      useFactory: (options: ToolwrightModuleOptions = {}) => new ApplicationRuns(options),
    },
    { provide: RequestContexts, inject: [ModuleRef], useFactory: (module: ModuleRef) => new RequestContexts(module) },
    { provide: StartCheck, inject: [ModulesContainer], useFactory: (modules: ModulesContainer) => new StartCheck(modules) },
  ],
  exports: [Features, ApplicationRuns, RequestContexts],
})
export class ToolwrightCoreModule {}
