import type { Settings } from "../../settings.ts"
import type { Engine } from "./engine.ts"
import { pseudo } from "./pseudo.ts"

const ENGINES: Record<Settings["translator"], Engine> = { pseudo }

/** The engine that TRANSLATOR names. */
export const openEngine = ({ translator }: Settings): Engine => ENGINES[translator]
