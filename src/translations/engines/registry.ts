import type { Config } from "../../config.ts"
import { apertium } from "./apertium.ts"
import type { Engine } from "./engine.ts"
import { openai } from "./openai.ts"
import { pseudo } from "./pseudo.ts"
import { workersAi } from "./workers-ai.ts"

/** Creates the engine that the variable TRANSLATOR names. The configuration has checked its variables. */
export const openEngine = ({ translator }: Config, env: Pick<Env, "AI">): Engine => {
  if (translator.name === "openai") return openai(translator)
  if (translator.name === "apertium") return apertium(translator.url)
  if (translator.name === "pseudo") return pseudo
  return workersAi(env.AI, translator.model)
}
