<?php

return [
    'title' => 'Votre panier',
    'empty' => 'Votre panier est vide.',
    'items' => ':count article|:count articles',
    'subtotal' => 'Sous-total',
    'total' => 'Total : :amount',
    'remove' => 'Retirer :product',
    'voucher' => [
        'label' => 'Code promo',
        'apply' => 'Appliquer',
        'invalid' => 'Le code :code n’est pas (ou plus) valable.',
    ],
    'checkout' => 'Commander',
];
