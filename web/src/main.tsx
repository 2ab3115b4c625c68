import { render } from "preact";
import "./style.css";
import { refreshConversations } from "./conversations/list";
import { enter, may } from "./page/server";
import { Page } from "./page/Page";

const place = document.getElementById("page");

async function begin(): Promise<void> {
  if (!place) return;
  try {
    await enter();
    if (may("ask")) await refreshConversations();
    render(<Page failure={null} />, place);
  } catch (failure) {
    render(<Page failure={failure} />, place);
  }
}

void begin();
