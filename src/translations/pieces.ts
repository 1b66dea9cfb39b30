import { type Segment, segmentOf, type Source, WORD } from "./document/segments.ts"
import { piecesOf, splitBlanks, textOf } from "./tags.ts"

const replacePieces = (inlines: Source, known: Map<string, Source>): Source =>
  inlines.map((inline) => {
    if (typeof inline !== "string")
      return inline.isGroup ? { ...inline, children: replacePieces(inline.children, known) } : inline
    const found = known.get(inline)
    const translated = found && textOf(found)
    if (translated === undefined) return inline
    const { before, behind } = splitBlanks(inline)
    return before + translated + behind
  })

/** Whether a segment is one piece of text, and no tag. */
export const isPiece = ({ inlines }: Segment): boolean => inlines.length === 1 && typeof inlines[0] === "string"

/** The pieces of text in segments by what they are in the source, each a segment of its own. */
export const cutPieces = (segments: Segment[]): Map<string, Segment> => {
  const texts = segments.flatMap(({ inlines }) => piecesOf(inlines)).filter((text) => WORD.test(text))
  return new Map(texts.map((text) => [text, segmentOf([text])]))
}

/** Segments of pieces that are all known, with their tags where the source has them. */
export const joinPieces = (segments: Segment[], known: Map<string, Source>): Map<Segment, Source> => {
  const whole = segments.filter(({ inlines }) => piecesOf(inlines).every((text) => !WORD.test(text) || known.has(text)))
  return new Map(whole.map((segment) => [segment, replacePieces(segment.inlines, known)]))
}

/** Segments in which there is one of these pieces. */
export const segmentsWith = (segments: Segment[], pieces: Map<string, Segment>): Segment[] =>
  pieces.size === 0 ? [] : segments.filter(({ inlines }) => piecesOf(inlines).some((text) => pieces.has(text)))
