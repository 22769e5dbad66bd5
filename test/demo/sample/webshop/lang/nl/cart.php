<?php

return [
    'title' => 'Je winkelwagen',
    'empty' => 'Je winkelwagen is leeg.',
    'items' => ':count artikel|:count artikelen',
    'subtotal' => 'Subtotaal',
    'total' => 'Totaal: :amount',
    'remove' => ':product verwijderen',

    // Shown below the total while there is something to gain.
    'free_delivery' => 'Nog :amount voor gratis verzending',
    'voucher' => [
        'label' => 'Kortingscode',
        'apply' => 'Toepassen',
        'invalid' => 'De code :code is niet (meer) geldig.',
        'applied' => 'Je bespaart :amount met :code.',
    ],
    'continue' => 'Verder winkelen',
    'checkout' => 'Naar de kassa',
];
