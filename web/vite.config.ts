import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// `--mode console` or `--mode portal`: each site is built on its own, so that neither's pages are in the other.
export default defineConfig(({ mode }) => {
  const site = mode === "console" ? "console" : "portal";
  return {
    root: import.meta.dirname,
    base: `/${site}/`,
    plugins: [react(), tailwindcss()],
    build: {
      outDir: `dist/${site}`,
      emptyOutDir: true,
      // Everything is asked for by name: inlined data would need a looser policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // The limit that counts is 200 kB of script as it is transferred at the first load.
      chunkSizeWarningLimit: 600,
      rollupOptions: { input: fileURLToPath(new URL(`${site}.html`, import.meta.url)) },
    },
  };
});
