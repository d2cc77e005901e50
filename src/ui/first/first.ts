import { draw } from "./draw";
import { firstFrame } from "./frame";

const target = document.querySelector("#app");
if (target) {
  firstFrame.begin();
  void draw(target).finally(() => firstFrame.end());
}
