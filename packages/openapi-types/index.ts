import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript"
import ts from "typescript"

const blob = ts.factory.createTypeReferenceNode("Blob")

/** Returns the TypeScript types of an OpenAPI document. A file of a form is a Blob. */
export const typesOf = async (document: OpenAPI3): Promise<string> => {
  const nodes = await openapiTS(document, { transform: ({ format }) => (format === "binary" ? blob : undefined) })
  return astToString(nodes)
}
