import { startSite } from "../start.tsx";
import { portalTree } from "./router/router.tsx";
import { PORTAL } from "./site.tsx";

startSite(PORTAL, portalTree);
