import { startSite } from "../start.tsx";
import { consoleTree } from "./router/router.tsx";
import { CONSOLE } from "./site.tsx";

startSite(CONSOLE, consoleTree);
