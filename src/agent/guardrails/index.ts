export { type CheckedInput, type CheckedOutput, checkInput, checkOutput } from "./check-text.js";
export type {
  Guardrail,
  GuardrailClass,
  GuardrailFor,
  GuardrailMoment,
  GuardrailSetting,
  GuardrailSituation,
  Guardrails,
  InputGuardrail,
  OutputGuardrail,
} from "./guardrail.js";
export { checkGuardrails, makeGuardrails } from "./make-guardrails.js";
export { block, pass, transform, type Verdict } from "./verdict.js";
