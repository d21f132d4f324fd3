import { fileURLToPath } from "node:url";
import { writeDescription } from "../../openapi-file.ts";
import { describeRoutes } from "./describe-routes.ts";
import { documentText } from "./document.ts";

// `npm run openapi` writes contract/openapi.json.
const COMMITTED = fileURLToPath(new URL("../../../../../contract/openapi.json", import.meta.url));

process.exitCode = await writeDescription(process.argv.slice(2), COMMITTED, documentText(describeRoutes()));
