import { Trans, useTranslation } from "react-i18next";

export function Product({ price, available }: { price: string; available: boolean }) {
  const { t } = useTranslation("product", { keyPrefix: "actions" });
  const { t: common } = useTranslation("common");

  return (
    <article>
      <a href="/">{common("nav.home")}</a>
      <p>
        <Trans i18nKey="product:price" values={{ price }} />
      </p>
      <p>{available ? t("product:stock.in") : t("product:stock.out")}</p>
      <button>{t("buy")}</button>
      <button>{t("wish")}</button>
    </article>
  );
}
