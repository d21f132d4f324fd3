import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import "../ui/styles.css";

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <main className="p-8">Corprail</main>
    </StrictMode>,
  );
}
