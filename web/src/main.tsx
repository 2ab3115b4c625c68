import { render } from "preact";
import "./style.css";
import { enter } from "./page/server";
import { Page } from "./page/Page";

const place = document.getElementById("page");

const show = (failure: unknown) => {
  place?.replaceChildren(); // the frame that stood for the page
  if (place) render(<Page failure={failure} />, place);
};

void enter().then(() => show(null), show);
