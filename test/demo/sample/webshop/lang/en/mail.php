<?php

return [
    'order_confirmed' => [
        'subject' => 'Your order :number',
        'greeting' => 'Hello :name,',
        'body' => 'We have received your order and are packing it with care. '
            . 'You will hear from us as soon as it leaves our warehouse.',
        'signature' => <<<'TEXT'
            Kind regards,
            The Webshop team
            TEXT,
    ],
    'back_in_stock' => [
        'subject' => ':product is back!',
        'action' => 'Have a look',
    ],
];
