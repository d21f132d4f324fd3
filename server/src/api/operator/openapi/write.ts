import { fileURLToPath } from "node:url";
import { writeDescription } from "../../openapi-file.ts";
import { OPERATOR_ACTIONS } from "../operator-actions.ts";
import { operatorDocumentText } from "./document.ts";

// `npm run openapi` writes contract/operator-openapi.json.
const COMMITTED = fileURLToPath(new URL("../../../../../contract/operator-openapi.json", import.meta.url));

process.exitCode = await writeDescription(process.argv.slice(2), COMMITTED, operatorDocumentText(OPERATOR_ACTIONS));
