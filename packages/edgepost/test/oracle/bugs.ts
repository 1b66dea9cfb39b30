/** none */
export const BUGS: Record<string, string> = {}
