import "./style.css";
import { App } from "./app";

const app = new App();
(window as unknown as { saltus: App }).saltus = app;
void app.start();
