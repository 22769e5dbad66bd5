import { createApp } from "vue";
import { i18nVue, trans } from "laravel-vue-i18n";
import CartBadge from "./components/CartBadge.vue";

const app = createApp(CartBadge);

app.use(i18nVue, { lang: "en" });
app.mount("#cart");

document.addEventListener("cart:added", () => {
  document.title = trans("Added to your cart");
});
