// The theme without its fonts: pages use those of the reader's machine.
export { default } from "vitepress/theme-without-fonts";
