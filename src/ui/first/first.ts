import { draw } from "./draw";

function startApp() {
  const link = document.querySelector<HTMLLinkElement>("#app-script");
  if (link) void import(/* @vite-ignore */ link.href);
}
void draw().finally(startApp);
