import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "/portal/",
  plugins: [react(), tailwindcss()],
  build: {
    outDir: "dist/portal",
    emptyOutDir: true,
    // Everything is asked for by name: inlined data would need a looser policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: { input: fileURLToPath(new URL("portal.html", import.meta.url)) },
  },
});
