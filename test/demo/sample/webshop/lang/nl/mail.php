<?php

return [
    'order_confirmed' => [
        'subject' => 'Je bestelling :number',
        'greeting' => 'Hallo :name,',
        'body' => 'We hebben je bestelling ontvangen en pakken haar met zorg in. '
            . 'Je hoort van ons zodra ze ons magazijn verlaat.',
        'signature' => <<<'TEXT'
            Met vriendelijke groet,
            Het Webshop-team
            TEXT,
    ],
    'back_in_stock' => [
        'subject' => ':product is er weer!',
        'action' => 'Bekijken',
    ],
];
