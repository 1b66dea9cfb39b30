import { ApiError } from "../../http/problem.ts"
import type { Settings } from "../../settings.ts"
import { apertium } from "./apertium.ts"
import type { Engine } from "./engine.ts"
import { openai } from "./openai.ts"
import { pseudo } from "./pseudo.ts"
import { workersAi } from "./workers-ai.ts"

/** The engine that TRANSLATOR names. @throws ApiError `misconfigured` */
export const openEngine = ({ translator }: Settings, env: Pick<Env, "AI">): Engine => {
  switch (translator.name) {
    case "workers-ai":
      if (!env.AI) throw new ApiError("misconfigured", "Bad variables: TRANSLATOR workers-ai needs the binding AI.")
      return workersAi(env.AI, translator.model)
    case "openai":
      return openai(translator)
    case "apertium":
      return apertium(translator.url)
    case "pseudo":
      return pseudo
  }
}
