import { loadMessages } from "../messages/catalogue.ts";
import "../ui/styles.css";

// The pages come after the messages, so that constants at their top level are in the chosen language. The page's head
// has a preload link for them, so that they do not wait for a second round trip.
void loadMessages().then(() => import("./app.tsx"));
